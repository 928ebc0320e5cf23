/// The HTTP library, and all that knows it: TLS, HTTP/1.1 and HTTP/2, WebSockets.
///
/// Start at [HttpFront]. It turns a request into a [Call], asks the [Endpoint], and sends the
/// [Answer]; nothing outside this package sees a type of the library.
@NullMarked
package io.berth.server.http;

import org.jspecify.annotations.NullMarked;
