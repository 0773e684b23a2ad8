import Foundation

/// The records of an export, indented as elements of the file's lists.
///
/// Keys that the app does not know, and passes over, are written only where they say something: ``ExportedItem/currency``,
/// ``ExportedItem/hasStart``, ``ExportedTrip/timeZone`` and fractions of seconds.
extension JSONOutput {
    // MARK: Trips

    mutating func write(_ trip: ExportedTrip) {
        raw("{\n   \"id\" : ")
        uuid(trip.id)
        raw(",\n   \"name\" : ")
        text(trip.name)
        raw(",\n   \"notes\" : ")
        text(trip.notes)
        if let created = trip.createdDate {
            date(created, ",\n   \"createdDate\" : ", ",\n   \"createdDateMilliseconds\" : ")
        }
        // The placeholders are those that the app writes: a date must be there.
        raw(",\n   \"startDate\" : ")
        date(ExportedInstant(trip.startDate ?? .distantPast))
        raw(",\n   \"endDate\" : ")
        date(ExportedInstant(trip.endDate ?? .distantFuture))
        raw(",\n   \"hasStartDate\" : ")
        flag(trip.startDate != nil)
        raw(",\n   \"hasEndDate\" : ")
        flag(trip.endDate != nil)
        if let zone = trip.timeZone {
            raw(",\n   \"timeZone\" : ")
            text(zone)
        }
        if let total = trip.totalCost {
            raw(",\n   \"totalCost\" : ")
            raw(total.text.utf8)
        }
        raw(",\n   \"isProtected\" : ")
        flag(trip.isProtected)
        ids(of: trip, .transportation, ",\n   \"transportation\" : [")
        ids(of: trip, .lodging, ",\n   \"lodging\" : [")
        ids(of: trip, .activity, ",\n   \"activities\" : [")
        items(of: trip, .transportation, ",\n   \"embeddedTransportation\" : [")
        items(of: trip, .lodging, ",\n   \"embeddedLodging\" : [")
        items(of: trip, .activity, ",\n   \"embeddedActivities\" : [")
        raw("\n  }")
    }

    /// A list of the ids of the items of a kind.
    private mutating func ids(of trip: ExportedTrip, _ kind: ExportedItem.Kind, _ start: StaticString) {
        raw(start)
        var isFirst = true
        for item in trip.items where item.kind == kind {
            isFirst ? raw("\n    ") : raw(",\n    ")
            uuid(item.id)
            isFirst = false
        }
        isFirst ? raw("]") : raw("\n   ]")
    }

    private mutating func items(of trip: ExportedTrip, _ kind: ExportedItem.Kind, _ start: StaticString) {
        raw(start)
        var isFirst = true
        for item in trip.items where item.kind == kind {
            isFirst ? raw("\n    ") : raw(",\n    ")
            write(item)
            isFirst = false
        }
        isFirst ? raw("]") : raw("\n   ]")
    }

    // MARK: Items

    private mutating func write(_ item: ExportedItem) {
        raw("{\n     \"id\" : ")
        uuid(item.id)
        raw(",\n     \"name\" : ")
        text(item.name)
        if item.kind == .transportation {
            raw(",\n     \"type\" : ")
            text(item.mode ?? "")
        }
        date(item.start, ",\n     \"start\" : ", ",\n     \"startMilliseconds\" : ")
        date(item.end, ",\n     \"end\" : ", ",\n     \"endMilliseconds\" : ")
        if !item.hasStart { raw(",\n     \"hasStart\" : false") }
        if !item.hasEnd { raw(",\n     \"hasEnd\" : false") }
        if let zone = item.startTimeZone {
            raw(",\n     \"startTZId\" : ")
            text(zone)
        }
        if let zone = item.endTimeZone {
            raw(",\n     \"endTZId\" : ")
            text(zone)
        }
        raw(",\n     \"cost\" : ")
        if let cost = item.cost { raw(cost.text.utf8) } else { raw("0") }
        if let currency = item.currency {
            raw(",\n     \"currency\" : ")
            text(currency)
        }
        raw(",\n     \"paid\" : ")
        text(item.paid ?? "none")
        item.kind == .transportation ? raw(",\n     \"confirmation\" : ") : raw(",\n     \"reservation\" : ")
        text(item.reservation)
        raw(",\n     \"notes\" : ")
        text(item.notes)
        raw(",\n     \"organizationId\" : ")
        if let organization = item.organizationID { uuid(organization) } else { raw("\"\"") }
        // The app has a place only for lodgings and activities.
        let hasPlace = item.kind != .transportation
        if hasPlace || !item.customLocationName.isEmpty {
            raw(",\n     \"customLocationName\" : ")
            text(item.customLocationName)
        }
        if hasPlace || item.hidesLocation {
            raw(",\n     \"hideLocation\" : ")
            flag(item.hidesLocation)
        }
        raw("\n    }")
    }

    /// A date to the second, and what is left of it under a key of its own.
    private mutating func date(_ date: Date, _ key: StaticString, _ restKey: StaticString) {
        let instant = ExportedInstant(date)
        raw(key)
        self.date(instant)
        guard instant.milliseconds > 0 else { return }
        raw(restKey)
        number(instant.milliseconds)
    }

    // MARK: Organizations and addresses

    mutating func write(_ organization: ExportedOrganization) {
        raw("{\n   \"id\" : ")
        uuid(organization.id)
        raw(",\n   \"name\" : ")
        text(organization.name)
        raw(",\n   \"phone\" : ")
        text(organization.phone)
        raw(",\n   \"email\" : ")
        text(organization.email)
        raw(",\n   \"website\" : ")
        text(organization.website)
        raw(",\n   \"logoURL\" : ")
        text(organization.logoURL)
        raw(",\n   \"cachedLogoFilename\" : \"\",\n   \"address\" : ")
        if let address = organization.address { write(address, .member) } else { raw("null") }
        raw("\n  }")
    }

    /// Where an address stands.
    enum AddressLevel { case element, member }

    mutating func write(_ address: ExportedAddress, _ level: AddressLevel) {
        let next: StaticString = level == .element ? ",\n   \"" : ",\n    \""
        level == .element ? raw("{\n   \"") : raw("{\n    \"")
        if let id = address.id {
            raw("id\" : ")
            uuid(id)
            raw(next)
        }
        raw("street\" : ")
        text(address.street)
        raw(next)
        raw("city\" : ")
        text(address.city)
        raw(next)
        raw("state\" : ")
        text(address.state)
        raw(next)
        raw("country\" : ")
        text(address.country)
        raw(next)
        raw("postalCode\" : ")
        text(address.postalCode)
        raw(next)
        raw("latitude\" : ")
        number(address.latitude ?? 0)
        raw(next)
        raw("longitude\" : ")
        number(address.longitude ?? 0)
        raw(next)
        if address.latitude == 0, address.longitude == 0 {
            raw("hasCoordinates\" : true")
            raw(next)
        }
        raw("formattedAddress\" : ")
        text(address.formatted)
        level == .element ? raw("\n  }") : raw("\n   }")
    }

    // MARK: Attachments

    /// Up to the quote before the attachment's bytes.
    mutating func write(_ attachment: ExportedAttachment) {
        raw("{\n   \"id\" : ")
        uuid(attachment.id)
        raw(",\n   \"fileName\" : ")
        text(attachment.name)
        raw(",\n   \"originalFileName\" : ")
        text(attachment.name)
        raw(",\n   \"fileSize\" : ")
        number(attachment.claimedSize ?? 0)
        raw(",\n   \"mimeType\" : ")
        text(attachment.mimeType)
        raw(",\n   \"fileExtension\" : ")
        text((attachment.name as NSString).pathExtension)
        if let created = attachment.createdDate {
            raw(",\n   \"createdDate\" : ")
            date(ExportedInstant(created))
        }
        raw(",\n   \"fileDescription\" : ")
        text(attachment.caption)
        raw(",\n   \"parentType\" : \"")
        raw(attachment.parentKind.rawValue.utf8)
        raw("\",\n   \"parentId\" : ")
        uuid(attachment.parentID)
        raw(",\n   \"fileData\" : \"")
    }
}
