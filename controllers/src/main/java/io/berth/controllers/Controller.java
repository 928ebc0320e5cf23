package io.berth.controllers;

/// Something that watches the cluster and acts on it.
///
/// Its constructor registers with the caches; [#start()] is called once these are filled, and
/// [#close()] may come at any time, also in the middle of a write.
public interface Controller extends AutoCloseable {

  String name();

  void start();

  @Override
  void close();
}
