import Events
import Foundation

/// What a quick look at the bytes of a value found: that they are well-formed, and break no rule that looks at them alone.
///
/// It is there for speed: nearly all values are fine, and no value needs to be made to see that. Where it finds nothing,
/// the rules themselves say what is wrong, or that nothing is.
struct QuickLook {
    /// Where the value stands among others of its type, for the rule on start and end; nil for types that have none.
    var order: Int64?

    /// Text that is UTF-8 and no longer than it may be.
    static func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= Rules.longestText else { return false }
        do throws(WireError) { try String.check(bytes) } catch { return false }
        return true
    }

    /// Whether a character of ASCII is there that one sees.
    static func hasVisibleASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.contains { 0x21...0x7E ~= $0 } }
}

extension FieldValue {
    /// For types on whose values there is no rule.
    static func lookWithoutRules(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) { try check(bytes) } catch { return nil }
        return QuickLook()
    }
}

// Each type says it for itself, so that a rule that is added to one is not forgotten here.

extension Bool {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? { lookWithoutRules(bytes) }
}

extension Identifier where Entity: TripEntity {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        EntityReference.idBytes(in: bytes, of: Entity.kind) == nil ? nil : QuickLook()
    }
}

extension PaidStatus {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? { lookWithoutRules(bytes) }
}

extension TransportationMode {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? { lookWithoutRules(bytes) }
}

extension String {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? { QuickLook.text(bytes) ? QuickLook() : nil }
}

extension Date {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) {
            return Moment.representable ~= (try bytes.onlySigned()) ? QuickLook() : nil
        } catch { return nil }
    }
}

extension Day {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) {
            return QuickLook(order: Int64(try Day(encoded: bytes, strictly: true).daysSince1970))
        } catch { return nil }
    }
}

extension Moment {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        var milliseconds: Int64 = 0
        var isZoneKnown = false
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: milliseconds = try reader.signed(field)
                case 2:
                    // Each, if it comes twice: the rules look at all.
                    guard TimeZoneCache.isKnown(try reader.bytes(field)) else { return nil }
                    isZoneKnown = true
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        guard isZoneKnown, representable ~= milliseconds else { return nil }
        return QuickLook(order: milliseconds)
    }
}

extension Money {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        var isCurrencyKnown = false
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: _ = try reader.signed(field)
                case 2:
                    guard Currency.codes.contains(try reader.bytes(field)) else { return nil }
                    isCurrencyKnown = true
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return isCurrencyKnown ? QuickLook() : nil
    }
}

extension Address {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1...5, 7: guard QuickLook.text(try reader.bytes(field)) else { return nil }
                case 6: guard try Coordinates(encoded: try reader.bytes(field)).isInRange else { return nil }
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return QuickLook()
    }
}

extension EntitySchema {
    /// Whether an event that creates or edits an entity is valid for sure, on a quick look: a creation if nothing is held of
    /// the entity, an edit as far as can be said of it alone.
    ///
    /// It writes to so many fields, of which `part` answers each and what it gives it, nil if it clears it.
    @inline(__always)
    func isValidForSure(
        _ verb: Verb, _ count: Int, _ part: (Int) -> (field: UInt32, value: UnsafeRawBufferPointer?)
    ) -> Bool {
        let isCreation = verb == .created
        guard isCreation || verb == .edited, canBeLookedAt else { return false }
        var required = 0
        var last: UInt32 = 0
        // Of the start and the end, if they are written: nil if they are cleared.
        var (start, end): (Int64??, Int64??)
        for index in 0..<count {
            let (number, value) = part(index)
            // What comes twice, or out of order, is looked at closely.
            guard number > last, let rules = rules(number) else { return false }
            last = number
            var order: Int64?
            if let value {
                // No bytes are the same as none, to those who read them.
                guard !value.isEmpty, let look = rules.quickLook(value) else { return false }
                order = look.order
                if rules.isRequired { required += 1 }
            } else if rules.isRequired {
                return false
            }
            if number == span?.start {
                start = .some(order)
            } else if number == span?.end {
                end = .some(order)
            }
        }
        guard !isCreation || required == requiredCount else { return false }
        guard let start, let end, let first = start, let last = end else { return true }
        return first <= last
    }
}

extension EntitySchema.FieldRules {
    func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        if isName && !QuickLook.hasVisibleASCII(bytes) { return nil }
        return type.quickLook(bytes)
    }
}
