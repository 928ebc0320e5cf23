/// Checks custom resources against answers recorded from a Kubernetes API server.
@NullMarked
package io.berth.schema.crd;

import org.jspecify.annotations.NullMarked;
