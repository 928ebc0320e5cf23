/// Tests of the rules of `berth lint`: a table each, reports of the public, examples, chance.
@NullMarked
package io.berth.answers.lint;

import org.jspecify.annotations.NullMarked;
