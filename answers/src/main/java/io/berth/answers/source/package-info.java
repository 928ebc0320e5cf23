/// What questions are asked about: objects of files and clusters, as placement reads them.
///
/// Start at [Survey]. [ManifestReader] reads files; whoever reads a cluster hands its objects over
/// as [Manifest]s, too.
@NullMarked
package io.berth.answers.source;

import org.jspecify.annotations.NullMarked;
