/// Checks the published documents.
@NullMarked
package io.berth.schema.openapi;

import org.jspecify.annotations.NullMarked;
