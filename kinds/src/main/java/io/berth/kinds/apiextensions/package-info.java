/// The kinds of `apiextensions.k8s.io`: definitions of kinds that users bring.
@NullMarked
package io.berth.kinds.apiextensions;

import org.jspecify.annotations.NullMarked;
