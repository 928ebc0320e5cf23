/// What workloads are built of: compute resources, environments, credentials, data sources,
/// templates.
///
/// Start at [AssetRoutes].
@NullMarked
package io.berth.workloads.asset;

import org.jspecify.annotations.NullMarked;
