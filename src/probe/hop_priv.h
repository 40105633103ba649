/* The way from a device up to the machine, hop by hop: PCI functions, links, multipliers,
 * expanders. Inside of the room. Functions return 0 or an index, else negative errno; unknown is a
 * legal value. */
#ifndef SATABENCH_PROBE_HOP_PRIV_H
#define SATABENCH_PROBE_HOP_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe_priv.h"
#include "satabench/link.h"

/* ceiling.c. Bytes/s; NaN = not known. */
double probe_usb_line(double megabits);
/* Sets both limits of a node, unless it has lower ones. NaN: not known. */
int probe_limit(struct sb_node *node, double line, double practical, const char *source);

/* facts.c: configs/ceilings.conf, the machine's and the user's own, the last one wins. */
enum fact_kind { FACT_CONTROLLER, FACT_UPLINK, FACT_MULTIPLIER };
struct fact {
	enum fact_kind kind;
	unsigned vendor, first, last; /* ids, both ends included */
	char *name, *source, *date;
	double practical;     /* bytes/s; NaN = not told */
	double practical_one; /* of a multiplier that is switched by commands */
	double speed;	      /* of an uplink, GT/s as PCIe's; NaN */
	unsigned width;	      /* lanes; 0 = not told */
};
struct facts {
	struct fact *fact;
	size_t n;
};
int probe_facts_read(struct facts *facts);
/* Once a scan, when first asked for. 0 or -ENOMEM. */
int probe_scan_facts(struct scan *scan);
/* One file over those there are; -ENOENT when it is not there, else 0 or -ENOMEM: a line that
 * cannot be used is told, and left. */
int probe_facts_read_file(struct facts *facts, const char *path);
void probe_facts_free(struct facts *facts);
const struct fact *probe_fact(const struct facts *facts, enum fact_kind kind, unsigned vendor,
			      unsigned device);
/* "LSI SAS2008: measured ... (2016-05)", malloc'ed */
char *probe_fact_source(const struct fact *fact);

/* pci.c: one function, from attributes, else from its uevent. */
struct pci {
	unsigned vendor, device, subvendor, subdevice; /* 0 = unknown */
	unsigned class;				       /* 24 bits */
	double speed, speed_max;		       /* GT/s; NaN */
	unsigned width, width_max;		       /* lanes; 0 = unknown */
	int numa;				       /* -1 */
	int port_type;				       /* of the PCIe capability; -1 */
	unsigned payload_bytes;			       /* MaxPayload in force; 0 = unknown */
};
#define PCI_PORT_ROOT 4
#define PCI_PORT_UPSTREAM 5
#define PCI_PORT_DOWNSTREAM 6
void probe_pci_read(struct pci *pci, const char *path);
bool probe_pci_is_emulated(const struct pci *pci);
bool probe_pci_is_bridge(const struct pci *pci);
/* 0000:00:1f.2; the domain may have five digits and more (VMD: 10000:e0:17.0). */
bool probe_is_pci_address(const char *text, size_t length);
/* Capabilities in configuration space: fills port_type and payload_bytes. */
void probe_pci_read_config(struct pci *pci, int fd);
/* "8.0 GT/s PCIe" -> 8; "Unknown", "6.0 Gbps" -> 6, "12.0 Gbit" -> 12 */
double probe_speed(const char *text);

/* pcie.c: the node of a function; `last`: it is the controller. */
int probe_pci_node(struct scan *scan, const char *path, int parent, bool last);
/* names.c: vendor and model from the hwdb */
int probe_pci_names(struct scan *scan, struct sb_node *node, const char *path,
		    const struct pci *pci);

/* chipset.c: the chipset that a function on a root bus belongs to, or `root` when it is none. */
int probe_chipset(struct scan *scan, int root, const char *root_path, const struct pci *pci);
/* An upstream port that is a chipset's. */
bool probe_is_chipset_switch(const struct pci *pci);

/* sata.c, sas.c, usb.c: the node of one path component below a controller. `path` ends with it;
 * `device` is the whole path of the block device. */
int probe_sata_link(struct scan *scan, const char *path, int parent, const char *device);
int probe_sas_port(struct scan *scan, const char *path, int parent);
int probe_expander(struct scan *scan, const char *path, int parent);
int probe_usb_device(struct scan *scan, const char *path, int parent);

/* slot.c: enclosure and slot of a disk, by its sysfs path. 0 or -ENOMEM. */
int probe_slot(struct sb_node *node, const char *device);

/* hops.c */
/* The controller whose sysfs path this is, with all above it. */
int probe_pci_controller(struct scan *scan, const char *path);
/* What lies between it and a block device, whose path is `device` and begins with the controller's
 * of `length` bytes. */
int probe_below_controller(struct scan *scan, int controller, size_t length, const char *device);
bool probe_is_emulated(const struct scan *scan, int node);
/* link_speed, link_speed_max ... in the unit; marks it as downgraded when it is below `max`. */
int probe_link_attributes(struct sb_node *node, double speed, double speed_max, const char *unit,
			  unsigned width, unsigned width_max, bool known_max);

#endif
