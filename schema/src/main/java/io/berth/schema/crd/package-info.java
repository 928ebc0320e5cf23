/// Custom resources: objects whose schema comes with a CustomResourceDefinition.
///
/// Start at [CustomResource], which decodes, prunes and defaults the objects of one version.
@NullMarked
package io.berth.schema.crd;

import org.jspecify.annotations.NullMarked;
