/// How many values an app's field has, and what tells them apart.
public struct OwnFieldShape: OpenEnumeration {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// One value.
    public static let value = OwnFieldShape(rawValue: 0)
    public static let set = OwnFieldShape(rawValue: 1)
    public static let counter = OwnFieldShape(rawValue: 2)
    public static let map = OwnFieldShape(rawValue: 3)
    public static let list = OwnFieldShape(rawValue: 4)

    public static let known: [(value: OwnFieldShape, name: String)] = [
        (.value, "value"), (.set, "set"), (.counter, "counter"), (.map, "map"), (.list, "list"),
    ]
}
