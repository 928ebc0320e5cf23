/// The kinds of `resource.k8s.io`: devices that pods claim. Stored and counted; nothing here
/// allocates devices yet.
@NullMarked
package io.berth.kinds.resource;

import org.jspecify.annotations.NullMarked;
