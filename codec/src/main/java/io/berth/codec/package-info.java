/// Bytes to trees and back: [Json] and [Yaml]. The only module that knows the JSON and YAML
/// libraries. Errors are [SyntaxException]s with line and column.
@NullMarked
package io.berth.codec;

import org.jspecify.annotations.NullMarked;
