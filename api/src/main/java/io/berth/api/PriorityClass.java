package io.berth.api;

public record PriorityClass(String name, int value, boolean globalDefault, boolean neverPreempts) {}
