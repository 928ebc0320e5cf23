/// What holds for every pass, on golden vectors and on random organizations.
@NullMarked
package io.berth.quota;

import org.jspecify.annotations.NullMarked;
