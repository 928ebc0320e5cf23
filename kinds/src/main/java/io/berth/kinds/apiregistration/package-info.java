/// The kind of `apiregistration.k8s.io`: which API server answers for a group and version.
@NullMarked
package io.berth.kinds.apiregistration;

import org.jspecify.annotations.NullMarked;
