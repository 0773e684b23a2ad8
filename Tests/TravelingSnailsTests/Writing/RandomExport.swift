import Foundation
import TestSupport
import TravelingSnails

/// Records of an export that no person would write, the same for the same seed.
struct RandomExport {
    let trips: [ExportedTrip]
    let organizations: [ExportedOrganization]
    let addresses: [ExportedAddress]
    let attachments: [(ExportedAttachment, bytes: [UInt8])]

    init(seed: UInt64) {
        var random = RandomRecords(seed: seed)
        trips = (0..<random.upTo(6)).map { _ in random.trip() }
        organizations = (0..<random.upTo(4)).map { _ in random.organization() }
        addresses = (0..<random.upTo(3)).map { _ in random.address() }
        attachments = (0..<random.upTo(4)).map { _ in (random.attachment(), random.bytes()) }
    }
}

private struct RandomRecords {
    private static let texts = [
        "", "Lisbon", "a \"quote\" and a \\", "two\nlines\tand a tab\r", "\u{0}\u{1}\u{8}\u{C}\u{1F}\u{7F}",
        "Hôtel 東京 😀",
        "\u{2028}\u{FEFF}/<!--", String(repeating: "long ", count: 500),
    ]

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func upTo(_ count: Int) -> Int { Int.random(in: 0...count, using: &generator) }

    private mutating func isChosen() -> Bool { Bool.random(using: &generator) }

    private mutating func id() -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private mutating func text() -> String { Self.texts[upTo(Self.texts.count - 1)] }

    private mutating func zone() -> String? {
        isChosen() ? ["Europe/Lisbon", "Asia/Tokyo", "Mars/Olympus"][upTo(2)] : nil
    }

    /// Of the years 1 to 9999, some with milliseconds.
    private mutating func date() -> Date {
        let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
        return Date(timeIntervalSince1970: Double(isChosen() ? milliseconds : milliseconds / 1_000 * 1_000) / 1_000)
    }

    private mutating func number() -> DecimalNumber {
        DecimalNumber(minorUnits: Int64.random(in: -1_000_000...1_000_000, using: &generator), digits: upTo(4))
    }

    mutating func trip() -> ExportedTrip {
        // The reader returns them in the order of the file's lists.
        let order: [ExportedItem.Kind] = [.transportation, .lodging, .activity]
        let kinds = (0..<upTo(5)).map { _ in upTo(2) }.sorted().map { order[$0] }
        return ExportedTrip(
            id: id(), name: text(), notes: text(), createdDate: isChosen() ? date() : nil,
            startDate: isChosen() ? whole(date()) : nil, endDate: isChosen() ? whole(date()) : nil,
            isProtected: isChosen(), timeZone: zone(), totalCost: isChosen() ? number() : nil,
            items: kinds.map { item($0) })
    }

    private func whole(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }

    private mutating func item(_ kind: ExportedItem.Kind) -> ExportedItem {
        ExportedItem(
            kind: kind, id: id(), name: text(), mode: kind == .transportation ? "plane" : nil, start: date(),
            end: date(), hasStart: upTo(5) > 0, hasEnd: upTo(5) > 0, startTimeZone: zone(), endTimeZone: zone(),
            cost: number(), currency: isChosen() ? "EUR" : nil, paid: ["infull", "deposit", "none"][upTo(2)],
            reservation: text(), notes: text(), organizationID: isChosen() ? id() : nil, customLocationName: text(),
            hidesLocation: isChosen())
    }

    mutating func organization() -> ExportedOrganization {
        ExportedOrganization(
            id: id(), name: text(), phone: text(), email: text(), website: text(), logoURL: text(),
            address: isChosen() ? address() : nil)
    }

    mutating func address() -> ExportedAddress {
        let coordinates: (Double, Double)? = [
            nil, (0, 0), (-90, 180), (38.722_252_3, -9.139_336_6), (1e-9, -0.1),
        ][upTo(4)]
        return ExportedAddress(
            id: isChosen() ? id() : nil, street: text(), city: text(), state: text(), country: text(),
            postalCode: text(), latitude: coordinates?.0, longitude: coordinates?.1, formatted: text())
    }

    mutating func attachment() -> ExportedAttachment {
        ExportedAttachment(
            id: id(), name: "\(text()).pdf", mimeType: text(), caption: text(),
            createdDate: isChosen() ? whole(date()) : nil, parentKind: ExportedItem.Kind.allCases[upTo(2)],
            parentID: id(), claimedSize: Int64(upTo(1_000)))
    }

    mutating func bytes() -> [UInt8] { generator.bytes(upTo: 200_000) }
}
