package io.berth.workloads.list;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.http.Request;
import io.berth.workloads.list.Columns.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a caller wants of a list: which entries, in what order, which page.
public final class ListRequest {

  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 500;

  private final Columns columns;
  private final List<Filter> filters;
  private final String search;
  private final @Nullable Column sortBy;
  private final boolean descending;
  private final int offset;
  private final int limit;

  private ListRequest(Columns columns, Request request, String limitParameter, int[] limits) {
    this.columns = columns;
    this.filters = Filter.parse(request.parameters("filterBy"), columns);
    this.search = request.parameter("search");
    var sort = request.parameter("sortBy");
    this.sortBy = sort.isEmpty() ? null : columns.sortedBy(sort);
    this.descending = descending(request.parameter("sortOrder"), false);
    this.offset = number(request, "offset", 0, 0, Integer.MAX_VALUE);
    this.limit = number(request, limitParameter, limits[1], limits[0], limits[2]);
  }

  public static ListRequest of(Request request, Columns columns) {
    return new ListRequest(columns, request, "limit", new int[] {1, DEFAULT_LIMIT, MAX_LIMIT});
  }

  /// As [#of], with another name and other bounds for the size of a page.
  public static ListRequest of(
      Request request, Columns columns, String limitParameter, int least, int usual, int most) {
    return new ListRequest(columns, request, limitParameter, new int[] {least, usual, most});
  }

  /// The entries that are asked for, of all pages.
  public List<Tree> select(List<Tree> all) {
    var selected = new ArrayList<Tree>();
    for (var each : all) {
      if (filters.stream().allMatch(filter -> filter.holds(each))
          && (search.isEmpty() || columns.found(each, search))) {
        selected.add(each);
      }
    }
    return selected;
  }

  /// One page of the entries that are asked for, in order.
  public Page page(List<Tree> all) {
    var selected = select(all);
    if (sortBy != null) {
      selected.sort(
          Comparator.comparing(
              each -> each,
              (a, b) ->
                  Values.order(
                      sortBy, sortBy.value().apply(a), sortBy.value().apply(b), descending)));
    } else if (descending) {
      selected = new ArrayList<>(selected.reversed());
    }
    int from = Math.min(offset, selected.size());
    int to = Math.min(selected.size() - from, limit) + from;
    return new Page(selected.subList(from, to), selected.size(), to < selected.size() ? to : -1);
  }

  /// `sortOrder`, which is `asc` or `desc`, also as the name of an enum constant.
  public static boolean descending(String order, boolean absent) {
    var value = order.substring(order.lastIndexOf('.') + 1);
    if (value.isEmpty()) {
      return absent;
    }
    if (value.equalsIgnoreCase("asc") || value.equalsIgnoreCase("desc")) {
      return value.equalsIgnoreCase("desc");
    }
    throw Refusal.badRequest("sortOrder: \"%s\" is neither asc nor desc".formatted(order));
  }

  /// A whole number of the query, within bounds.
  public static int number(Request request, String name, int absent, int least, int most) {
    var text = request.parameter(name);
    if (text.isEmpty()) {
      return absent;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return (int) value;
      }
    } catch (NumberFormatException e) {
      // Falls through to the refusal.
    }
    throw Refusal.badRequest(
        "%s: \"%s\" is no whole number from %d to %d".formatted(name, text, least, most));
  }

  /// `next` is the offset of the next page, or -1 when there is none.
  public record Page(List<Tree> items, int total, int next) {

    /// `{"<name>": [...], "next": n}`; `next` only when there is more.
    public Tree body(String name) {
      var body = Tree.of(name, new ArrayList<Object>(items));
      if (next >= 0) {
        body.put("next", next);
      }
      return body;
    }
  }
}
