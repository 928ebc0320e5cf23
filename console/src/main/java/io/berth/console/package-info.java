/// The web console: where pods run, why, and what if, to each what their role allows.
///
/// Start at [Console], a request from top to bottom. `session` knows who asks, `sight` what they
/// may see, `scene` what there is; `view` makes columns and lists of it, `answer` asks the engine.
/// `page` holds the files that a browser gets; their sources are in `console/page`.
@NullMarked
package io.berth.console;

import org.jspecify.annotations.NullMarked;
