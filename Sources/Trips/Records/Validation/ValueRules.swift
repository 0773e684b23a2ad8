import Events
import Foundation

// The rules that values must meet before this replica writes them, by their types, each with its fast path. They are never applied to what
// peers wrote.

extension FieldValue {
    /// Whether bytes are well-formed, for types without rules on their values.
    fileprivate static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(WireError) { try check(bytes) } catch { return false }
        return true
    }
}

extension DefaultedFieldValue where Self: OpenEnumeration {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool { isWellFormed(bytes) }
}

extension Bool {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool { isWellFormed(bytes) }
}

extension UUID {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool { isWellFormed(bytes) }
}

extension Day {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool { isWellFormed(bytes) }
}

extension Identifier where Entity: TripEntity {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Which of the apps' kinds it is says the id: the full check reads it.
        !Entity.kind.isNamespaced && EntityReference.idBytes(in: bytes, of: Entity.kind) != nil
    }
}

extension Rank {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.count <= ListRank.longest }
}

extension String {
    /// 1 MiB of UTF-8.
    static let longest = 1 << 20

    func checkRules() throws(ValidationError) {
        guard utf8.count <= Self.longest else {
            throw ValidationError(
                .tooLong, "The text has \(utf8.count) bytes and may have \(Self.longest). Shorten it.")
        }
    }

    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count <= longest && isWellFormed(bytes)
    }
}

extension Date {
    func checkRules() throws(ValidationError) { try Moment.checkRules(milliseconds) }

    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(WireError) { return Moment.representable ~= (try bytes.onlySigned()) } catch { return false }
    }
}

extension Moment {
    func checkRules() throws(ValidationError) {
        try Self.checkRules(milliseconds)
        guard timeZone != nil else { throw .unknownTimeZone(zone) }
    }

    fileprivate static func checkRules(_ milliseconds: Int64) throws(ValidationError) {
        guard representable ~= milliseconds else {
            throw ValidationError(
                .dateOutOfRange,
                "The instant \(milliseconds) ms since 1970 is not in the years 1 to 9999. Check its unit and its sign.")
        }
    }

    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isZoneKnown = false
        let milliseconds = bytes.number {
            isZoneKnown = TimeZoneCache.isKnown($0)
            return isZoneKnown
        }
        return isZoneKnown && milliseconds.map { representable ~= $0 } ?? false
    }
}

extension Money {
    /// Any amount is valid: a refund is a negative cost.
    func checkRules() throws(ValidationError) {
        guard currency.isKnown else { throw .unknownCurrency(currency) }
    }

    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isCurrencyKnown = false
        let minorUnits = bytes.number {
            isCurrencyKnown = Currency.codes.contains($0)
            return isCurrencyKnown
        }
        return isCurrencyKnown && minorUnits != nil
    }
}

extension Coordinates {
    func checkRules() throws(ValidationError) {
        guard !isInRange else { return }
        throw ValidationError(
            .invalidCoordinates,
            "Latitude \(latitude) and longitude \(longitude) are no place. "
                + "Use -90 to 90 and -180 to 180 degrees, or leave the coordinates out.")
    }
}

extension Address {
    func checkRules() throws(ValidationError) {
        for part in [street, city, state, country, postalCode, formatted] { try part.checkRules() }
        try coordinates?.checkRules()
    }

    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1...5, 7: guard String.fastCheck(try reader.bytes(field)) else { return false }
                case 6: guard try Coordinates(encoded: try reader.bytes(field)).isInRange else { return false }
                default: try reader.skip(field)
                }
            }
        } catch { return false }
        return true
    }
}
