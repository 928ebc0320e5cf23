package io.berth.engine.model;

import io.berth.api.Taint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The distinct taint lists that nodes have now, by number.
///
/// Some taints hold a time, so lists come and go with the life of a cluster: the number of one that
/// no node has any more goes to the next new one, under another stamp.
final class TaintLists {

  private final Map<List<Taint>, Integer> numbers = new HashMap<>();
  private final List<List<Taint>> lists = new ArrayList<>();
  private final Deque<Integer> free = new ArrayDeque<>();
  private int[] users = new int[4];
  private int[] stamps = new int[4];
  private int lastStamp;

  /// How many numbers there are; numbers are below this.
  int count() {
    return lists.size();
  }

  List<Taint> get(int number) {
    return lists.get(number);
  }

  /// Tells what was known of a number from what is: never 0, and another for every list.
  int stamp(int number) {
    return stamps[number];
  }

  /// The number of a list that one more node has.
  int take(List<Taint> taints) {
    var known = numbers.get(taints);
    int number = known == null ? add(taints) : known;
    users[number]++;
    return number;
  }

  private int add(List<Taint> taints) {
    int number = free.isEmpty() ? lists.size() : free.pop();
    if (number == lists.size()) {
      lists.add(taints);
    } else {
      lists.set(number, taints);
    }
    if (number == users.length) {
      users = Arrays.copyOf(users, number * 2);
      stamps = Arrays.copyOf(stamps, number * 2);
    }
    numbers.put(taints, number);
    stamps[number] = ++lastStamp;
    return number;
  }

  void giveBack(int number) {
    if (--users[number] == 0) {
      numbers.remove(lists.get(number));
      lists.set(number, List.of());
      free.push(number);
    }
  }
}
