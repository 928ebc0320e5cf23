/// Checks protobuf against bytes recorded from Kubernetes.
@NullMarked
package io.berth.schema.protobuf;

import org.jspecify.annotations.NullMarked;
