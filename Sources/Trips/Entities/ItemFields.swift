import Events

/// The fields of an item, apart from its kind: their decoder is not generic, because generic code looks up its types at
/// run time and takes three times as long.
struct ItemFields: Hashable, Sendable {
    var name = ""
    var trip: Trip.ID?
    var start: Moment?
    var end: Moment?
    var cost: Money?
    var paid = PaidStatus.none
    var reservation = ""
    var notes = ""
    var customLocationName = ""
    var hidesLocation = false
    var address: Address?
    var organization: Organization.ID?
    var mode = TransportationMode.other

    func encoded(_ field: ItemField) -> [UInt8]? {
        switch field {
        case .name: name.encodedValue
        case .trip: trip?.encodedValue
        case .start: start?.encodedValue
        case .end: end?.encodedValue
        case .cost: cost?.encodedValue
        case .paid: paid.encodedValue
        case .reservation: reservation.encodedValue
        case .notes: notes.encodedValue
        case .customLocationName: customLocationName.encodedValue
        case .hidesLocation: hidesLocation.encodedValue
        case .address: address?.encodedValue
        case .organization: organization?.encodedValue
        case .mode: mode.encodedValue
        }
    }

    mutating func decode(_ field: ItemField, _ value: UnsafeRawBufferPointer?) {
        switch field {
        case .name: name = String.decoded(value) ?? ""
        case .trip: trip = Trip.ID.decoded(value)
        case .start: start = Moment.decoded(value)
        case .end: end = Moment.decoded(value)
        case .cost: cost = Money.decoded(value)
        case .paid: paid = PaidStatus.decoded(value) ?? .none
        case .reservation: reservation = String.decoded(value) ?? ""
        case .notes: notes = String.decoded(value) ?? ""
        case .customLocationName: customLocationName = String.decoded(value) ?? ""
        case .hidesLocation: hidesLocation = Bool.decoded(value) ?? false
        case .address: address = Address.decoded(value)
        case .organization: organization = Organization.ID.decoded(value)
        case .mode: mode = TransportationMode.decoded(value) ?? .other
        }
    }

    func check(_ field: ItemField) throws(ValidationError) {
        switch field {
        case .name: try Rules.name(name)
        case .trip: try Rules.trip(trip)
        case .start:
            try Rules.moment(start)
            try Rules.order(start, end)
        case .end:
            try Rules.moment(end)
            try Rules.order(start, end)
        case .cost: try Rules.money(cost)
        case .reservation: try Rules.text(reservation)
        case .notes: try Rules.text(notes)
        case .customLocationName: try Rules.text(customLocationName)
        case .address: try Rules.address(address)
        case .paid, .hidesLocation, .organization, .mode: break
        }
    }

    var effectiveEnd: Moment? {
        guard let end, let start else { return end }
        return end.milliseconds < start.milliseconds ? start : end
    }
}
