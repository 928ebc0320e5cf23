/// Who sees what, in one place: [Visibility] asks the API's own authorizer, and nothing leaves the
/// console but through it.
@NullMarked
package io.berth.console.sight;

import org.jspecify.annotations.NullMarked;
