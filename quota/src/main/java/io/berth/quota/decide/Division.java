package io.berth.quota.decide;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Deals out one resource of a pool, or of a department, among its claimants.
///
/// First each gets what it deserves as far as it wants it. What is left goes to the highest rank,
/// in proportion to the weights and to nobody more than it wants; then to the next rank. Shares are
/// whole units, rounded down; the units left over by rounding go to the largest remainders, ties to
/// the claimant that comes first. All arithmetic is exact.
public final class Division {

  /// `wanted` is all it could use; `weight` may be any non-negative number, only proportions count.
  public record Claim(long deserved, long wanted, BigInteger weight, int rank) {}

  private final List<Claim> claims;
  private final long unit;
  private final long[] shares;
  private long left;

  private Division(long total, long unit, List<Claim> claims) {
    this.claims = claims;
    this.unit = unit;
    this.shares = new long[claims.size()];
    this.left = total;
  }

  /// The share of each claimant, in the order of the claims.
  ///
  /// Where more is deserved than there is, everybody is still entitled to what it deserves.
  public static long[] divide(long total, long unit, List<Claim> claims) {
    var division = new Division(total, unit, claims);
    division.guarantee();
    claims.stream()
        .map(Claim::rank)
        .distinct()
        .sorted(Comparator.reverseOrder())
        .forEach(division::shareOut);
    return division.shares;
  }

  private void guarantee() {
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.min(claims.get(i).deserved(), claims.get(i).wanted());
      left -= Math.min(left, shares[i]);
    }
  }

  private void shareOut(int rank) {
    var hungry = new ArrayList<Integer>();
    for (int i = 0; i < shares.length; i++) {
      var claim = claims.get(i);
      if (claim.rank() == rank && claim.weight().signum() > 0 && shares[i] < claim.wanted()) {
        hungry.add(i);
      }
    }
    while (left > 0 && !hungry.isEmpty()) {
      if (!satisfySome(hungry)) {
        dealInProportion(hungry);
        return;
      }
    }
  }

  /// Those whose part would be at least what they want get just that, and leave.
  private boolean satisfySome(List<Integer> hungry) {
    var weights = weightOf(hungry);
    var total = BigInteger.valueOf(left);
    var satisfied = new ArrayList<Integer>();
    for (int i : hungry) {
      var wish = BigInteger.valueOf(claims.get(i).wanted() - shares[i]);
      if (wish.multiply(weights).compareTo(total.multiply(claims.get(i).weight())) <= 0) {
        satisfied.add(i);
      }
    }
    for (int i : satisfied) {
      left -= claims.get(i).wanted() - shares[i];
      shares[i] = claims.get(i).wanted();
    }
    hungry.removeAll(satisfied);
    return !satisfied.isEmpty();
  }

  private record Remainder(int claim, BigInteger rest) {}

  private void dealInProportion(List<Integer> hungry) {
    var units = BigInteger.valueOf(unit);
    var divisor = weightOf(hungry).multiply(units);
    var total = BigInteger.valueOf(left);
    var remainders = new ArrayList<Remainder>();
    for (int i : hungry) {
      var parts = total.multiply(claims.get(i).weight()).divideAndRemainder(divisor);
      give(i, parts[0].multiply(units).longValueExact());
      remainders.add(new Remainder(i, parts[1]));
    }
    remainders.sort(
        Comparator.comparing(Remainder::rest).reversed().thenComparingInt(Remainder::claim));
    for (var next : remainders) {
      give(next.claim(), unit);
    }
  }

  private void give(int claim, long amount) {
    long wish = claims.get(claim).wanted() - shares[claim];
    long given = Math.min(Math.min(amount, left), wish);
    shares[claim] += given;
    left -= given;
  }

  private BigInteger weightOf(List<Integer> hungry) {
    var sum = BigInteger.ZERO;
    for (int i : hungry) {
      sum = sum.add(claims.get(i).weight());
    }
    return sum;
  }
}
