# The planning of a journey of twelve days: flights over the date line both ways, a night train, hotels over nights, a refund, three
# currencies. $T is the tool, and $TRIPSTORE names a new folder.
set -e
trip="Around the Pacific"
say() {
    printf '$ tripstore'
    for word in "$@"; do case "$word" in *[!A-Za-z0-9:./_+-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$T" "$@"
}
say init --name planner
say add organization --name 'TAP Air Portugal' --phone '+351 211 234 400' --website 'https://www.flytap.com'
say add organization --name '日本航空' --website 'https://www.jal.co.jp'
say add trip --name "$trip" --destination 'Tokyo, Matsue, Honolulu, Auckland' --start-date 2027-04-30 --end-date 2027-05-11 \
    --notes 'Twelve days, three currencies.
Passports are valid until 2031.'
say add trip --name 'Trans-Siberian Railway from Moscow to Vladivostok, some day' --destination 'Владивосток'
say add trip --name '温泉の旅' --destination '箱根' --start-date 2027-11-20 --end-date 2027-11-23
say add transportation --name 'TP 361 and JL 42 to Tokyo' --mode plane --trip "$trip" --organization 'TAP Air Portugal' \
    --start 2027-04-30T10:05 --start-time-zone Europe/Lisbon --end 2027-05-01T08:50 --end-time-zone Asia/Tokyo \
    --cost 812.40 --currency EUR --paid in-full --confirmation X7K2PL --custom-location-name 'Terminal 1' \
    --street 'Alameda das Comunidades Portuguesas' --city Lisboa --country Portugal
say add lodging --name 'Hotel Gracery Shinjuku' --trip "$trip" --start 2027-05-01T15:00 --start-time-zone Asia/Tokyo \
    --end 2027-05-04T11:00 --cost 98000 --currency JPY --reservation 4711-08 --street 'Kabukicho 1-19-1' \
    --postal-code 160-8466 --city Tokyo --country Japan --notes 'Late check-out was asked for.
	Ask again on arrival; the answer to the mail was that it depends on how full the house is that day.'
say add activity --name 'teamLab Borderless' --trip "$trip" --start 2027-05-02T10:00 --start-time-zone Asia/Tokyo \
    --end 2027-05-02T12:30 --cost 7600 --currency JPY --paid in-full
say add activity --name 'Day trip to Nikkō' --trip "$trip" --start 2027-05-03T07:30 --start-time-zone Asia/Tokyo \
    --cost -60.00 --currency EUR --paid in-full --notes 'Cancelled for want of guests.'
say add transportation --name 'Sunrise Izumo' --mode train --trip "$trip" --start 2027-05-04T21:50 \
    --start-time-zone Asia/Tokyo --end 2027-05-05T09:58 --cost 22200 --currency JPY --paid in-full --confirmation 5-B-12
say add lodging --name 'Minami-kan 旅館' --trip "$trip" --start 2027-05-05T15:00 --start-time-zone Asia/Tokyo \
    --end 2027-05-07T10:00 --cost 64000 --currency JPY --paid deposit --street '末次本町14' --city 松江市 --country 日本
say add transportation --name 'JL 74 to Honolulu' --mode plane --trip "$trip" --organization 日本航空 --start 2027-05-07T20:05 \
    --start-time-zone Asia/Tokyo --end 2027-05-07T08:35 --end-time-zone Pacific/Honolulu --cost 98500 --currency JPY \
    --confirmation QK31ZZ
say add lodging --name 'Hale Koa by the Sea' --trip "$trip" --start 2027-05-07T15:00 --start-time-zone Pacific/Honolulu \
    --end 2027-05-09T11:00 --cost 540.00 --currency USD --city Honolulu
say add transportation --name 'HA 445 to Auckland' --mode plane --trip "$trip" --start 2027-05-09T14:00 \
    --start-time-zone Pacific/Honolulu --end 2027-05-10T21:05 --end-time-zone Pacific/Auckland --cost 389.00 --currency USD
say add transportation --name 'NZ 6 to Los Angeles' --mode plane --trip "$trip" --start 2027-05-11T00:30 \
    --start-time-zone Pacific/Auckland --end 2027-05-10T17:40 --end-time-zone America/Los_Angeles --cost 702.00 --currency USD
say add activity --name 'Dinner with Sofía' --trip "$trip" --start 2027-05-10T18:45 --start-time-zone America/Los_Angeles \
    --end 2027-05-10T20:00 --hides-location --street '1 Secret Street'
say add transportation --name 'Home, by way of Newark' --mode plane --trip "$trip" --organization 'TAP Air Portugal' \
    --start 2027-05-10T22:30 --start-time-zone America/Los_Angeles --end 2027-05-11T21:10 --end-time-zone Europe/Lisbon \
    --cost 640.25 --currency EUR
say add activity --name 'Travel insurance' --trip "$trip" --cost 58.90 --currency EUR --paid in-full
say edit 'Hale Koa by the Sea' --paid in-full
