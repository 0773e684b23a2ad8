/// The fields of an item, shared by its copies until one of them is changed.
///
/// An item has some thirty words and a dozen texts: to hand it on, or to move it into a list or out of one, is a matter of a
/// single reference.
///
/// `@unchecked Sendable`: `fields` is changed by an item that has found itself to be the only one that refers to them, as
/// the memory of an array is; nobody else can look at them then.
final class ItemStorage: @unchecked Sendable {
    var fields: ItemFields

    init(_ fields: ItemFields = ItemFields()) { self.fields = fields }
}

extension ItemStorage: Hashable {
    static func == (a: ItemStorage, b: ItemStorage) -> Bool { a === b || a.fields == b.fields }

    func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
