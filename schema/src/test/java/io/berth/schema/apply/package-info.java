/// Checks server-side apply against answers recorded from a Kubernetes API server.
@NullMarked
package io.berth.schema.apply;

import org.jspecify.annotations.NullMarked;
