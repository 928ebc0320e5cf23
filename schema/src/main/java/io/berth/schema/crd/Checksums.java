package io.berth.schema.crd;

/// Formats whose last digit is computed from the others.
final class Checksums {

  private Checksums() {}

  static boolean isIsbn10(String text) {
    var digits = text.replaceAll("[\\s-]+", "");
    if (!digits.matches("[0-9]{9}[0-9X]")) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += (i + 1) * (digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0');
    }
    return sum % 11 == 0;
  }

  static boolean isIsbn13(String text) {
    var digits = text.replaceAll("[\\s-]+", "");
    if (!digits.matches("[0-9]{13}")) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 13; i++) {
      sum += (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0');
    }
    return sum % 10 == 0;
  }

  static boolean isCreditCard(String text) {
    var digits = text.replaceAll("[^0-9]+", "");
    if (!digits.matches(
        "(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}"
            + "|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})")) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int doubled = i % 2 == 0 ? digit : digit * 2;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 == 0;
  }
}
