/// The kinds of `certificates.k8s.io`: requests to sign certificates.
@NullMarked
package io.berth.kinds.certificates;

import org.jspecify.annotations.NullMarked;
