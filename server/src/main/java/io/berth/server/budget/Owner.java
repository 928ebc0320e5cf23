package io.berth.server.budget;

/// Whom something is charged to: a user by name, or a stranger by the address it comes from.
public record Owner(String name, boolean isStranger) {

  public static Owner known(String name) {
    return new Owner(name, false);
  }

  public static Owner stranger(String address) {
    return new Owner("stranger@" + address, true);
  }
}
