/// What a document that users write may hold, as a table: readers check by it, and the JSON schema
/// for editors is made from it.
///
/// Start at [Outline].
@NullMarked
package io.berth.answers.outline;

import org.jspecify.annotations.NullMarked;
