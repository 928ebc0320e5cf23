/// Checks patches against results recorded from Kubernetes.
@NullMarked
package io.berth.schema.patch;

import org.jspecify.annotations.NullMarked;
