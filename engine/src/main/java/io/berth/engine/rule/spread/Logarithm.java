package io.berth.engine.rule.spread;

/// The natural logarithm to the very bit that Go computes.
///
/// Scores are rounded, so a last bit that differs can move a pod. Go reduces the argument to `2^k
/// (1 + f)` with `1 + f` between the square roots of one half and two, and approximates the rest by
/// the polynomial of the FreeBSD library; Java's own logarithm differs in some last bits.
final class Logarithm {

  private static final double LN2_HIGH = 0.6931471803691238;
  private static final double LN2_LOW = 1.9082149292705877e-10;
  private static final double[] COEFFICIENTS = {
    0.6666666666666735,
    0.3999999999940942,
    0.2857142874366239,
    0.22222198432149784,
    0.1818357216161805,
    0.15313837699209373,
    0.14798198605116586
  };

  private Logarithm() {}

  /// Of a positive, finite number.
  static double of(double x) {
    int k = Math.getExponent(x) + 1;
    double fraction = Math.scalb(x, -k);
    if (fraction < Math.sqrt(2) / 2) {
      fraction *= 2;
      k--;
    }
    double f = fraction - 1;
    double s = f / (2 + f);
    double s2 = s * s;
    double s4 = s2 * s2;
    double[] c = COEFFICIENTS;
    double t1 = s2 * (c[0] + s4 * (c[2] + s4 * (c[4] + s4 * c[6])));
    double t2 = s4 * (c[1] + s4 * (c[3] + s4 * c[5]));
    double r = t1 + t2;
    double halfSquare = 0.5 * f * f;
    return k * LN2_HIGH - ((halfSquare - (s * (halfSquare + r) + k * LN2_LOW)) - f);
  }
}
