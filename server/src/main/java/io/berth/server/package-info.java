/// The Kubernetes API of the embedded cluster: HTTP in, who may do what, and objects in the store.
///
/// Start at [ApiServer], which wires the stations a request passes: `http` reads it, `identity`
/// says who asks, `access` whether they may, `request` what they ask for, `registry` does it, and
/// `watch` tells others.
@NullMarked
package io.berth.server;

import org.jspecify.annotations.NullMarked;
