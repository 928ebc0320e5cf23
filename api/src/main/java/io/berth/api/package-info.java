/// The vocabulary of Berth: Kubernetes objects as values, and nothing that does I/O.
///
/// Start at [Tree], the form in which any object travels, and [Resource], which says what kinds
/// there are. Typed records exist only where code computes with an object. [ApiException] is how a
/// request that cannot be served is refused, in Kubernetes' own words.
@NullMarked
package io.berth.api;

import org.jspecify.annotations.NullMarked;
