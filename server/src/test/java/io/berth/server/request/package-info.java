@NullMarked
package io.berth.server.request;

import org.jspecify.annotations.NullMarked;
