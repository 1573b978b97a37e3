import Mapping

/// Names and forms of moments.
enum DateNames {
  private static let words: Set<String> = [
    "at", "date", "time", "timestamp", "ts", "created", "updated", "modified", "deleted", "published",
    "expires",
    "expiry", "expiration", "start", "end", "begin", "from", "until", "since", "on", "dt", "sunrise",
    "sunset", "utc",
    "epoch", "when", "seen", "due", "begins", "ends", "starts", "arrival", "departure", "datetime", "opened",
    "closed",
    "moment", "joined", "lastlogin", "expire", "registered", "added", "changed", "sent", "received", "logged",
  ]

  static let patterns = [
    "dd.MM.yyyy", "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss", "d.M.yyyy", "yyyy/MM/dd", "yyyy/MM/dd HH:mm",
    "yyyy/MM/dd HH:mm:ss", "yyyy/MM/dd HH:mm:ss ZZZZZ", "dd/MM/yyyy", "dd/MM/yyyy HH:mm",
    "dd/MM/yyyy HH:mm:ss",
    "MM/dd/yyyy", "MM/dd/yyyy HH:mm", "MM/dd/yyyy HH:mm:ss", "M/d/yyyy", "yyyy.MM.dd",
  ]

  /// The unit in which whole numbers under a key are moments; nil if they are something else.
  static func unit(of key: String, from least: Int64, to greatest: Int64) -> String? {
    let words = Names.words(key)
    guard words.contains(where: Self.words.contains) else { return nil }
    // From 1990 to 2050.
    if least >= 631_152_000, greatest <= 2_524_608_000 { return "seconds" }
    if least >= 631_152_000_000, greatest <= 2_524_608_000_000 { return "milliseconds" }
    return nil
  }
}

/// Names of amounts of money, which are exact numbers.
enum MoneyNames {
  private static let words: Set<String> = [
    "price", "amount", "cost", "fee", "total", "subtotal", "balance", "tax", "salary", "discount", "budget",
    "revenue",
    "payment", "paid", "due", "value", "rate", "open", "close", "high", "low", "bid", "ask", "volume",
    "deposit",
    "credit", "debit", "money", "wage", "rent", "sum", "net", "gross", "vat", "refund", "tip",
  ]
  private static let strong: Set<String> = words.subtracting([
    "value", "rate", "high", "low", "volume", "sum",
  ])

  static func contain(_ key: String) -> Bool { Names.words(key).contains(where: strong.contains) }
}
