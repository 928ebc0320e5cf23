package io.berth.workloads.rest;

import java.util.ArrayList;
import java.util.List;

/// A list of operations in the making.
public final class Routes {

  private final List<Route> all = new ArrayList<>();

  public Route get(String path, String name, Handler handler) {
    return add("GET", path, name, handler).answers(200);
  }

  public Route post(String path, String name, Handler handler) {
    return add("POST", path, name, handler);
  }

  public Route put(String path, String name, Handler handler) {
    return add("PUT", path, name, handler);
  }

  public Route patch(String path, String name, Handler handler) {
    return add("PATCH", path, name, handler);
  }

  public Route delete(String path, String name, Handler handler) {
    return add("DELETE", path, name, handler);
  }

  private Route add(String method, String path, String name, Handler handler) {
    var route = new Route(method, path, name, handler);
    all.add(route);
    return route;
  }

  public List<Route> all() {
    return List.copyOf(all);
  }
}
