/// What may help a pod that no node takes: single steps, each tried before anybody hears of it.
///
/// [Remedies] lists them all. A [Remedy] is a step that might help, found by its finder in a
/// [Question]; [Trial] takes it on the engine; what helped becomes a [Suggestion], with the patch
/// and the command that [Commands] words.
@NullMarked
package io.berth.answers.remedy;

import org.jspecify.annotations.NullMarked;
