run1
:A	type	PER
:A	mention	"Ada"	d1:0-2	1.0
:A	canonical_mention	"Ada"	d1:0-2	1.0
:B	type	PER
:B	mention	"Bob"	d1:10-12	1.0
:B	canonical_mention	"Bob"	d1:10-12	1.0
:D	type	PER
:D	mention	"Dan"	d1:30-32	1.0
:D	canonical_mention	"Dan"	d1:30-32	1.0
:A	per:children	:B	d1:0-12	0.8
:A	per:children	:D	d1:0-32	0.4
:B	per:parents	:A	d1:0-12	0.8
:D	per:parents	:A	d1:0-32	0.4
:B	per:age	"4"	d1:10-20	0.9
:D	per:age	"30"	d1:30-40	0.7
