/// A message of a session.
public enum SessionFrame {
    /// The most bytes of an encoded frame: the largest message of an exchange and what frames it.
    public static let largest = ExchangeMessage.largest + 1024
}
