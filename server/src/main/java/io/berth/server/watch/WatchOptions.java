package io.berth.server.watch;

import io.berth.server.registry.ListOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What to watch, from where, and for how long.
public record WatchOptions(
    ListOptions selection, boolean bookmarks, @Nullable Boolean initialEvents, Duration timeout) {}
