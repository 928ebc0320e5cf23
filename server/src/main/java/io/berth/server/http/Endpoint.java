package io.berth.server.http;

/// What stands behind the HTTP front. Called on a virtual thread; throws nothing.
public interface Endpoint {

  Answer answer(Call call);
}
