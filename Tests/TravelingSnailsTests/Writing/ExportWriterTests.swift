import Foundation
import TestSupport
import Testing

@testable import TravelingSnails

@Suite("Writing an export")
struct ExportWriterTests {
    private struct Refusal: Error {}

    /// Takes what a writer hands out.
    private final class Output {
        var bytes: [UInt8] = []
        var largest = 0

        func take(_ piece: [UInt8]) {
            bytes += piece
            largest = max(largest, piece.count)
        }
    }

    private static func write(_ export: RandomExport, piece: Int = 1_000) throws -> Output {
        let output = Output()
        var writer = ExportWriter(
            timestamp: Date(timeIntervalSince1970: 1_800_000_000), exporter: "test", includesAttachments: true
        ) { output.take($0) }
        for trip in export.trips { try writer.append(trip) }
        for organization in export.organizations { try writer.append(organization) }
        for address in export.addresses { try writer.append(address) }
        for (attachment, bytes) in export.attachments {
            try writer.begin(attachment)
            for start in stride(from: 0, to: bytes.count, by: piece) {
                try writer.append(bytes: Array(bytes[start..<min(start + piece, bytes.count)]))
            }
            try writer.endAttachment()
        }
        try writer.finish()
        return output
    }

    @Test("What is written reads as the same records, whatever is in their texts", arguments: UInt64(1)...25)
    func circle(seed: UInt64) throws {
        let export = RandomExport(seed: seed)
        let output = try Self.write(export, piece: 1 + Int(seed) * 37)
        // For another reader it is JSON too.
        let other = try #require(try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any])
        #expect((other["trips"] as? [Any])?.count == export.trips.count)
        let file = try TemporaryFile(output.bytes)
        let reader = ExportFile(path: file.path)
        let summary = try reader.scan()
        #expect(summary.problems == [])
        #expect(summary.info.exporter == "test")
        #expect(summary.info.timestamp == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(summary.organizations.map(\.withoutPlace) == export.organizations.map(\.withoutPlace))
        #expect(summary.addresses.map(\.withoutPlace) == export.addresses.map(\.withoutPlace))
        var trips: [ExportedTrip] = []
        try reader.forEachTrip { trips.append($0.withoutPlaces) }
        #expect(trips == export.trips.map(\.withoutPlaces))
        var attachments: [ExportedAttachment] = []
        var contents: [[UInt8]] = []
        try reader.forEachAttachment { next in
            var bytes: [UInt8] = []
            while let piece = try next() { bytes += piece }
            return bytes
        } problem: { problem in
            Issue.record("\(problem)")
        } body: { attachment, bytes in
            attachments.append(attachment.withoutPlace)
            contents.append(bytes)
        }
        #expect(attachments == export.attachments.map(\.0))
        #expect(contents == export.attachments.map(\.bytes))
    }

    @Test("Nothing that is written may be empty: an export without any record reads as one")
    func empty() throws {
        let output = Output()
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var writer = ExportWriter(timestamp: date, includesAttachments: false) { output.take($0) }
        try writer.finish()
        let reading = try Reading(output.bytes)
        #expect(reading.summary.info == ExportInfo(version: "1.0", timestamp: date))
        #expect(reading.trips == [] && reading.summary.problems == [])
    }

    @Test("However large the export is, a piece holds no more than 256 KiB and a record")
    func pieces() throws {
        let output = Output()
        var writer = ExportWriter(timestamp: .distantPast, includesAttachments: true) { output.take($0) }
        let trip = ExportedTrip(id: UUID(), name: String(repeating: "x", count: 1_000))
        for _ in 0..<2_000 { try writer.append(trip) }
        try writer.begin(
            ExportedAttachment(id: UUID(), name: "a", parentKind: .lodging, parentID: UUID(), claimedSize: 3 << 20))
        for _ in 0..<3 { try writer.append(bytes: [UInt8](repeating: 7, count: 1 << 20)) }
        try writer.endAttachment()
        try writer.finish()
        #expect(output.bytes.count > 6 << 20)
        #expect(output.largest < 2 << 20)
    }

    @Test("Dates are those of the calendar, to the second; beyond the years 1 to 9999 they are its ends")
    func dates() {
        for (seconds, text, rest) in [
            (0, "1970-01-01T00:00:00Z", 0), (-0.001, "1969-12-31T23:59:59Z", 999),
            (951_782_399.5, "2000-02-28T23:59:59Z", 500), (951_782_400, "2000-02-29T00:00:00Z", 0),
            (4_107_542_400, "2100-03-01T00:00:00Z", 0), (-62_135_596_800, "0001-01-01T00:00:00Z", 0),
            (253_402_300_799.999, "9999-12-31T23:59:59Z", 999), (253_402_300_800, "9999-12-31T23:59:59Z", 0),
            (-1e20, "0001-01-01T00:00:00Z", 0), (1e300, "9999-12-31T23:59:59Z", 0),
        ] as [(Double, String, Int)] {
            let instant = ExportedInstant(Date(timeIntervalSince1970: seconds))
            var json = JSONOutput(reserving: 0)
            json.date(instant)
            #expect(String(decoding: json.bytes, as: UTF8.self) == "\"\(text)\"")
            #expect(instant.milliseconds == rest, "\(seconds)")
        }
    }

    @Test("Base64 is that of Foundation for every length, in pieces of any size")
    func base64() {
        var generator = SeededGenerator(seed: 5)
        for length in 0..<70 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            for piece in [1, 2, 3, 4, 64] {
                var writer = Base64Writer()
                var text: [UInt8] = []
                for start in stride(from: 0, to: length, by: piece) {
                    text += writer.encode(Array(bytes[start..<min(start + piece, length)]))
                }
                text += writer.finish()
                #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
            }
        }
    }

    @Test("An amount in minor units is the number that reads as it", arguments: [0, 1, 2, 3, 4])
    func amounts(digits: Int) throws {
        for units in [0, 1, -1, 9, 10, 99, -100, 12_345, .max, .min] as [Int64] {
            let number = DecimalNumber(minorUnits: units, digits: digits)
            #expect(DecimalNumber(number.text) != nil, "\(number) is no number")
            #expect(try number.minorUnits(digits: digits) == units)
        }
        #expect(DecimalNumber(minorUnits: -5, digits: 2).text == "-0.05")
        #expect(DecimalNumber(minorUnits: 1_250, digits: 2).text == "12.50")
    }

    @Test("Parts in another order than the file's are refused, and what ends the output ends the writing")
    func misuse() throws {
        var writer = ExportWriter(timestamp: .distantPast, includesAttachments: true) { _ in }
        let attachment = ExportedAttachment(id: UUID(), name: "a", parentKind: .activity, parentID: UUID())
        expectOutOfOrder { try writer.append(bytes: [1]) }
        expectOutOfOrder { try writer.endAttachment() }
        try writer.append(ExportedOrganization(id: UUID(), name: "TAP"))
        expectOutOfOrder { try writer.append(ExportedTrip(id: UUID(), name: "late")) }
        try writer.begin(attachment)
        expectOutOfOrder { try writer.finish() }
        expectOutOfOrder { try writer.begin(attachment) }
        try writer.endAttachment()
        try writer.finish()
        expectOutOfOrder { try writer.finish() }

        var full = ExportWriter(timestamp: .distantPast, includesAttachments: true) { _ in throw Refusal() }
        #expect(throws: Refusal.self) { try full.finish() }
    }

    private func expectOutOfOrder(_ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ExportError.self, sourceLocation: location) { try body() }
        #expect(error?.code == .outOfOrder, sourceLocation: location)
    }
}

// MARK: Without places, which records from no file have not

extension ExportedAddress {
    fileprivate var withoutPlace: ExportedAddress {
        ExportedAddress(
            id: id, street: street, city: city, state: state, country: country, postalCode: postalCode,
            latitude: latitude, longitude: longitude, formatted: formatted)
    }
}

extension ExportedOrganization {
    fileprivate var withoutPlace: ExportedOrganization {
        ExportedOrganization(
            id: id, name: name, phone: phone, email: email, website: website, logoURL: logoURL,
            address: address?.withoutPlace)
    }
}

extension ExportedAttachment {
    fileprivate var withoutPlace: ExportedAttachment {
        ExportedAttachment(
            id: id, name: name, mimeType: mimeType, caption: caption, createdDate: createdDate,
            parentKind: parentKind, parentID: parentID, claimedSize: claimedSize)
    }
}

extension Date {
    /// The nearest date of whole milliseconds: adding them to seconds gives another number in the last bit.
    fileprivate var toMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }
}

extension ExportedTrip {
    fileprivate var withoutPlaces: ExportedTrip {
        ExportedTrip(
            id: id, name: name, notes: notes, createdDate: createdDate?.toMilliseconds, startDate: startDate,
            endDate: endDate,
            isProtected: isProtected, timeZone: timeZone, totalCost: totalCost,
            items: items.map { item in
                ExportedItem(
                    kind: item.kind, id: item.id, name: item.name, mode: item.mode, start: item.start.toMilliseconds,
                    end: item.end.toMilliseconds, hasStart: item.hasStart, hasEnd: item.hasEnd,
                    startTimeZone: item.startTimeZone,
                    endTimeZone: item.endTimeZone, cost: item.cost, currency: item.currency, paid: item.paid,
                    reservation: item.reservation, notes: item.notes, organizationID: item.organizationID,
                    customLocationName: item.customLocationName, hidesLocation: item.hidesLocation)
            }, problems: problems)
    }
}
