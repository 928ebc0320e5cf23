/// The files a browser gets: the same for everybody, with nothing of the cluster in them.
@NullMarked
package io.berth.console.page;

import org.jspecify.annotations.NullMarked;
