/// OpenAPI v3 and v2 of everything that is served, made from the type table.
///
/// Start at [OpenApi], which is told what is served and answers with documents. kubectl reads them
/// for `explain`, for merge keys, and to learn which parameters a server understands.
@NullMarked
package io.berth.schema.openapi;

import org.jspecify.annotations.NullMarked;
