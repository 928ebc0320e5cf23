package io.berth.quota.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.quota.decide.Division.Claim;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class DivisionTest {

  private static final long GPU = 1000;
  private static final long MUCH = 1_000_000;

  record Case(String name, long total, List<Claim> claims, List<Long> shares) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "twenty spare by weights 2, 3, 1: the leftover goes to the largest remainder",
              20_000,
              List.of(claim(0, MUCH, 2), claim(0, MUCH, 3), claim(0, MUCH, 1)),
              List.of(7_000L, 10_000L, 3_000L)),
          new Case(
              "the same beside deserved quotas: 6 deserved and weight 3 is 16",
              30_000,
              List.of(claim(4_000, MUCH, 2), claim(6_000, MUCH, 3), claim(0, MUCH, 1)),
              List.of(11_000L, 16_000L, 3_000L)),
          new Case(
              "nobody gets more than it wants, the others get the rest by weight",
              20_000,
              List.of(claim(0, 1_500, 2), claim(0, MUCH, 3), claim(0, MUCH, 1)),
              List.of(1_500L, 14_000L, 4_500L)),
          new Case(
              "deserved is kept for those who want it only",
              10_000,
              List.of(claim(8_000, 2_000, 1), claim(0, MUCH, 1)),
              List.of(2_000L, 8_000L)),
          new Case(
              "more deserved than there is: all are entitled, nothing is left",
              4_000,
              List.of(claim(3_000, MUCH, 1), claim(3_000, MUCH, 1), claim(0, MUCH, 9)),
              List.of(3_000L, 3_000L, 0L)),
          new Case(
              "weight 0 gets nothing beyond what it deserves",
              10_000,
              List.of(claim(1_000, MUCH, 0), claim(0, MUCH, 1)),
              List.of(1_000L, 9_000L)),
          new Case(
              "a higher rank is served completely first",
              10_000,
              List.of(claim(0, MUCH, 9), new Claim(0, 7_000, BigInteger.ONE, 5)),
              List.of(3_000L, 7_000L)),
          new Case(
              "equal remainders: the first comes first",
              2_000,
              List.of(claim(0, MUCH, 1), claim(0, MUCH, 1), claim(0, MUCH, 1)),
              List.of(1_000L, 1_000L, 0L)),
          new Case(
              "half a device that is left is given too",
              2_500,
              List.of(claim(0, MUCH, 1), claim(0, MUCH, 1)),
              List.of(1_500L, 1_000L)));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void divides(Case c) {
    assertThat(Division.divide(c.total(), GPU, c.claims())).containsExactly(longs(c.shares()));
  }

  @Test
  void dealsOutAllThatIsWantedAndKeepsProportions() {
    var random = new Random(7);
    for (int round = 0; round < 5_000; round++) {
      long total = random.nextInt(200) * 500L;
      var claims = new ArrayList<Claim>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        claims.add(
            new Claim(
                random.nextInt(4) * 1000L,
                random.nextInt(60) * 500L,
                BigInteger.valueOf(random.nextInt(4)),
                random.nextInt(2)));
      }
      check(total, claims, Division.divide(total, GPU, claims));
    }
  }

  private static void check(long total, List<Claim> claims, long[] shares) {
    long sum = Arrays.stream(shares).sum();
    long guaranteed = 0;
    boolean everybodyContent = true;
    for (int i = 0; i < shares.length; i++) {
      var claim = claims.get(i);
      long least = Math.min(claim.deserved(), claim.wanted());
      guaranteed += least;
      assertThat(shares[i]).isBetween(least, claim.wanted());
      everybodyContent &= shares[i] == claim.wanted() || claim.weight().signum() == 0;
    }
    assertThat(sum).isLessThanOrEqualTo(Math.max(total, guaranteed));
    assertThat(everybodyContent || sum >= total).as("%s of %d", claims, total).isTrue();
    for (int a = 0; a < shares.length; a++) {
      for (int b = 0; b < shares.length; b++) {
        checkEnvy(claims.get(a), shares[a], claims.get(b), shares[b]);
      }
    }
  }

  /// Who is not content got, up to one unit, as much for its weight as anybody of its rank.
  private static void checkEnvy(Claim a, long shareA, Claim b, long shareB) {
    long extraA = shareA - Math.min(a.deserved(), a.wanted());
    long extraB = shareB - Math.min(b.deserved(), b.wanted());
    boolean hungry = shareA < a.wanted() && a.weight().signum() > 0;
    if (hungry && b.rank() == a.rank() && extraB > 0) {
      assertThat((extraB - GPU) * a.weight().longValue())
          .isLessThanOrEqualTo((extraA + GPU) * b.weight().longValue());
    }
    if (hungry && b.rank() < a.rank()) {
      assertThat(extraB).isZero();
    }
  }

  private static Claim claim(long deserved, long wanted, long weight) {
    return new Claim(deserved, wanted, BigInteger.valueOf(weight), 0);
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(value -> value).toArray();
  }
}
