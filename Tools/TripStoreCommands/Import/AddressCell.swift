import Foundation
import TripStore

/// A cell with the parts of an address, between commas.
struct AddressCell {
    private static let comma = ", "

    private let change: CellChange
    private let address: Address

    init(_ change: CellChange, _ address: Address?) {
        self.change = change
        self.address = address ?? Address()
    }

    /// The options that change the address into what the cell says: the whole text, or each part in its place.
    ///
    /// Throws `CommandError` if it does not show which part is which.
    func options(from options: [FieldOption], of id: UUID) throws(CommandError) -> [String] {
        var parts: [(part: FieldOption.Part, text: String)] = [
            (.street, address.street), (.postalCode, address.postalCode), (.city, address.city),
            (.state, address.state), (.country, address.country),
        ].filter { !$0.text.isEmpty }
        if parts.isEmpty, !address.formatted.isEmpty || address.coordinates == nil {
            parts = [(.formatted, address.formatted)]
            return Self.options(parts, [change.text], from: options)
        }
        if let place = address.coordinates {
            parts += [(.latitude, "\(place.latitude)"), (.longitude, "\(place.longitude)")]
        }
        let texts = change.text.components(separatedBy: Self.comma)
        guard address.formatted.isEmpty, texts.count == parts.count,
            !parts.contains(where: { $0.text.contains(Self.comma) })
        else {
            let names = options.prefix(2).map { "\($0.typed) …" }.joined(separator: " ")
            throw CommandError(
                "which part of the address is which cannot be told. Change it with 'edit \(id) \(names)'.",
                code: "usage")
        }
        return Self.options(parts, texts, from: options)
    }

    private static func options(
        _ parts: [(part: FieldOption.Part, text: String)], _ texts: [String], from options: [FieldOption]
    ) -> [String] {
        zip(parts, texts).flatMap { part, text in
            options.filter { $0.part == part.part && text != part.text }.map { "\($0.typed)=\(text)" }
        }
    }
}
