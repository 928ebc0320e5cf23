/// The kinds of `discovery.k8s.io`: slices of a service's endpoints.
@NullMarked
package io.berth.kinds.discovery;

import org.jspecify.annotations.NullMarked;
