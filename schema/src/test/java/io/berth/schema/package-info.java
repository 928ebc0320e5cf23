/// Checks the table and its uses against answers recorded from Kubernetes.
@NullMarked
package io.berth.schema;

import org.jspecify.annotations.NullMarked;
